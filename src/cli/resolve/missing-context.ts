import { usageError } from '../../errors.js';

/** Parents of what a command works on: organization, space, site. */
export type ContextName = 'org' | 'space' | 'site';

const words: Record<ContextName, string> = { org: 'an organization', space: 'a space', site: 'a site' };

/** The error for a parent that nobody named: the ways to name one. */
export function missingContext(name: ContextName | 'change-request'): Error {
  if (name === 'change-request') {
    return usageError(
      'missing_change_request',
      'This command needs a change request. Give --change-request.',
      { hint: 'docs change-requests list' },
    );
  }
  const message = `This command needs ${words[name]}. Give --${name}, set DOCS_${name.toUpperCase()}, or keep one as your default.`;
  return usageError(`missing_${name}`, message, { hint: `docs config set ${name} <id>` });
}
