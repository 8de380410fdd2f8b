// The engine's file, as Vite serves it.
declare module '$engine/engine.wasm?url' {
  const url: string;
  export default url;
}
