/** This copy of the page lies on a web server that knows no games (tools/static): whatever is played is played on this device. */
export const isStatic = globalThis.document?.documentElement.dataset['static'] !== undefined;
