// The editor: loads limber.wasm, makes the app, mounts the stage and the panels.
import "./style.css";
import { App } from "./state/app.js";
import { startDoc, human } from "./document/start.js";
import { Store } from "./state/store.js";
import { Engine } from "./engine/engine.js";
import { panels } from "./panels.js";
import { releaseFields } from "./ui/actions.js";
import { mountStage } from "./view/mount_stage.js";

const engine = await Engine.start();
const store = new Store(startDoc(engine.limber.figure(human)));
const app = mountStage(new App(store, engine));
await Promise.all(panels.map((mount) => Promise.resolve(mount(app))));
app.actions.listen(document);
releaseFields(document);
app.showPose(app.doc.pose);
// For tests and for the console.
Object.assign(window, { limberApp: app });
document.getElementById("loading")?.remove();
document.documentElement.dataset.ready = "yes";
