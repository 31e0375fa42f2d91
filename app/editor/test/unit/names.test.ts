import { describe, expect, it } from "vitest";
import { heldText, limitOwner, partNames } from "../../src/view/names.js";

const parameters = [{ name: "right_elbow.flexion" }, { name: "upperarm.l.rx" }, { name: "spine.forward" }];

describe("what holds a pull back", () => {
  const held = (parameter: number, share: number, limit = "") => ({ limit, parameter, share });

  it("is named by its joint, the strongest first", () => {
    expect(heldText([held(0, 1)], parameters)).toBe("right elbow at its limit");
    expect(heldText([held(0, 0.2), held(2, 0.7), held(1, 0.1)], parameters)).toBe("spine and right elbow at their limits");
    expect(heldText([held(0, 0.5), held(0, 0.5)], parameters)).toBe("right elbow at its limit");
  });
  it("is nothing where no limit does", () => {
    expect(heldText([], parameters)).toBeUndefined();
  });
  it("may be a limit over several parameters", () => {
    expect(limitOwner({ limit: "right_shoulder overhead", parameter: -1 }, parameters)).toBe("right shoulder");
  });
  it("keeps names with dots", () => {
    expect(limitOwner({ limit: "upperarm.l.rx upper limit", parameter: 1 }, parameters)).toBe("upperarm.l");
  });
});

it("names a part and its joint once where they are called alike", () => {
  expect(partNames({ name: "right_hand", joint: "right_wrist" })).toEqual({ part: "right hand", joint: "right wrist" });
  expect(partNames({ name: "neck", joint: "neck" })).toEqual({ part: "neck", joint: undefined });
});
