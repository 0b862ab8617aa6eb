import { readFileSync } from 'node:fs';

interface Provider {
  label: string;
  certificate: string;
}

/**
 * Certificates of the identity providers of the seeds, self-signed; nobody has their keys any more. Those of the
 * staff and the partners are valid from 2015 to 2120, so that no movement of the sandbox's clock changes what they
 * are; that of the contractors expired on 2020-01-01.
 */
export const certificates = {
  staff: certificateOf('Acme Staff'),
  partners: certificateOf('Partners'),
  contractors: certificateOf('Contractors'),
};

function certificateOf(label: string): string {
  const tables = ['tiny', 'acme'].map((seed) => {
    const text = readFileSync(new URL(`../../src/sandbox/seeds/${seed}.json`, import.meta.url), 'utf8');
    const file = JSON.parse(text) as { rows?: object };
    return (file.rows ?? file) as { saml_providers: Provider[] };
  });
  const found = tables
    .flatMap(({ saml_providers: providers }) => providers)
    .find((provider) => provider.label === label);
  return found?.certificate ?? '';
}
