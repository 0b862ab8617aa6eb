import { DocsError } from '../../../src/base/errors.js';
import type { Finding, Looked } from '../../../src/commands/links/finding.js';
import { type Report, Tally } from '../../../src/commands/links/link-check.js';

/** A check to make reports of. */

export const space = { id: 's1', title: 'Guide' };

export function finding(more: Partial<Finding> = {}): Finding {
  return {
    fingerprint: 'f'.repeat(32),
    status: 'broken',
    link: '../gone.md',
    space,
    page: { id: 'p1', title: 'Setup', url: 'https://app.example/s/s1/setup' },
    target: { kind: 'page', url: '../gone.md' },
    ...more,
  };
}

export function looked(findings: Finding[], more: Partial<Looked> = {}): Looked {
  return { space, findings, links: 12, unread: [], ...more };
}

export const unread = {
  kind: 'space',
  id: 's9',
  title: 'Secret <plans>',
  error: new DocsError('server-error', 'server_error', 'The platform answered 500.', { status: 500 }),
} as const;

/** The whole report of what was looked at. */
export function written(report: Report, looks: readonly Looked[]): string {
  const tally = new Tally(false);
  const parts = looks.map((one) => {
    tally.add(one, 0);
    return report.looked(one);
  });
  return report.begin() + parts.join('') + report.end(tally);
}
