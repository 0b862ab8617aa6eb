/**
 * Where the platform says its resources are. The hosts are reserved names, the same for every
 * sandbox: answers must not change with the port it happens to listen on.
 */
export const apiUrl = (path: string): string => `https://api.sandbox.example/v1${path}`;
export const appUrl = (path: string): string => `https://app.sandbox.example${path}`;
