/** Whether a newer version of the page than this one is kept on this device. */
export const newer = $state({ ready: false });
