import { option } from '../../cli/declare/flags.js';

/** Members of a batch of `docs sso link`. */
export const usualBatch = 20;

/** Flags about the identity provider. */
export const idpOptions = () => [
  option(
    '--idp <file|->',
    'People of the identity provider: CSV or JSON as Okta, Entra or Google export it',
    { reads: 'path' },
  ),
  option('--idp-column <name>', 'Column of that file with the email, where it is unclear'),
  option('--provider <provider>', 'SAML provider that members sign in through, by id or label; default: any'),
];
