declare module "virtual:limber.wasm" {
  const base64: string;
  export default base64;
}
declare module "*?worker&inline" {
  const Made: new () => Worker;
  export default Made;
}
declare module "*.css";
interface ImportMeta {
  glob(pattern: string, options: { query: string; import: string; eager: true }): Record<string, string>;
}
