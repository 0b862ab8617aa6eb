/** The text of NOTICE, for the folder of a build. */
export function notice(dist: string): Promise<string>;
/** The names of the packages whose code is part of a build. */
export function bundledPackages(dist: string): Promise<Set<string>>;
/** The packages that docs needs and that are not part of a build. */
export function runtimePackages(dist: string): string[];
