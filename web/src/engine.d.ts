// The files of tools/wasm, as Vite serves them.
declare module '$engine/*?url' {
  const url: string;
  export default url;
}
