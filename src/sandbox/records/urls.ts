/**
 * URLs of resources. The hosts are reserved names, the same for every sandbox: responses must not
 * depend on the port it listens on.
 */
export const apiUrl = (path: string): string => `https://api.sandbox.example/v1${path}`;
export const appUrl = (path: string): string => `https://app.sandbox.example${path}`;
