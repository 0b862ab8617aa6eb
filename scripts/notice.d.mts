/** The text of NOTICE, for the folder of a build. */
export function notice(dist: string): Promise<string>;
