export function withBuiltins(code: string): string;
