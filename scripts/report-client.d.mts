/** What runs in the pages of reports, minified, and the files that it is made of. */
export function reportClient(): Promise<{ script: string; sandbox: string; style: string; inputs: string[] }>;
