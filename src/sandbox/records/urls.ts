/** URLs of resources, on reserved hosts: responses must not depend on the port of the sandbox. */
export const apiUrl = (path: string): string => `https://api.sandbox.example/v1${path}`;
export const appUrl = (path: string): string => `https://app.sandbox.example${path}`;
