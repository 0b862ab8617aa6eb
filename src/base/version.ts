/** Written in at build time from package.json. */
declare const __DOCS_VERSION__: string | undefined;

/** The version of docs. */
export const version: string = typeof __DOCS_VERSION__ === 'string' ? __DOCS_VERSION__ : '0.0.0-source';
