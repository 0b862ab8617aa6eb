/** The files of a folder on a port of this machine: its address, and what ends it. */
export function serve(folder: string): Promise<{ address: string; close: () => void }>;
