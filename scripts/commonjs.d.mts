export function withBuiltins(code: string): string;
export function withListedExports(
  modules: ReadonlyMap<string, string>,
  isChunk: (name: string) => boolean,
): Map<string, string>;
export function withNeededAlone(modules: ReadonlyMap<string, string>): Map<string, string>;
export function withLateModules(code: string, isLate: (name: string) => boolean): string;
