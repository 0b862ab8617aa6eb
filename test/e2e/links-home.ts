import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, beforeEach } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { type BackupHome, homeOfFile, type Tables } from './backup-home.js';

/** A home whose space Welcome has broken links, and whose folder `b` is a backup from before they broke. */

export const welcome: string = seedId('space welcome');
/** The page of another space that `/pages/…` of the text leads to. */
export const basics = 'xRhuXiFJ6gEOYGlERWHw';

const quickstart = `Read [the basics](/pages/${basics}) and [Publishing](old/publishing.md#visibility "How").

\`\`\`markdown
[Publishing](old/publishing.md)
\`\`\`

Not a link: \\[Publishing\\](old/publishing.md). See [this][ref], [nobody](gone/forever.md) and [Reviews](old/conflicts.md).

<a href="old/publishing.md">Publishing</a> \`old/publishing.md\`

[ref]: <old/publishing.md> 'Title'`;

function breakLinks({ page_versions: pages = [] }: Tables): void {
  const pageOf = (slug: string) => pages.find((page) => page.slug === slug) ?? {};
  pageOf('quickstart').markdown = quickstart;
  Object.assign(pageOf('invite-your-team'), { slug: 'team-invites', title: 'Bring your team' });
}

export interface LinkRow {
  status: string;
  by: string | null;
  link: string;
  page: { id: string; title: string };
  target: { url: string; space: { id: string }; page?: { title: string } } | null;
  candidates: { url: string }[];
  why: string | null;
  changeRequest?: number;
}

export interface OpenRequest {
  number: number;
  subject: string;
}

export const base = ['--import-base', 'https://files.example.com/fixes'];
export const propose = ['links', 'fix', '--match-titles', '--as-change-request', ...base];

/** For the tests of a file: each begins with the broken links. */
export function homeOfLinks(): BackupHome & {
  fix(...words: string[]): ReturnType<BackupHome['run']>;
  rows(...words: string[]): Promise<LinkRow[]>;
  /** The change requests that are proposed. */
  openRequests(): Promise<OpenRequest[]>;
  /** Writes the archives where the sandbox finds them. */
  writeArchives(): Promise<unknown>;
} {
  const home = homeOfFile({ backup: true, goesOn: true, content: 'content' });
  beforeAll(() => {
    const state = JSON.parse(home.control.export()) as { tables: Tables };
    breakLinks(state.tables);
    writeFileSync(home.at('broken.json'), JSON.stringify(state));
  });
  beforeEach(() => home.control.seed(home.at('broken.json'), { isExport: true }));
  const fix = (...words: string[]) => {
    home.gateway.requests.length = 0;
    return home.run(['links', 'fix', ...words]);
  };
  return Object.assign(home, {
    fix,
    rows: async (...words: string[]) => JSON.parse((await fix(...words, '--json')).stdout) as LinkRow[],
    async openRequests() {
      const list = ['change-requests', 'list', '--space', welcome];
      const all = await home.json<OpenRequest[]>(list);
      return all.filter(({ subject }) => subject.startsWith('Fix '));
    },
    writeArchives: () => home.ok(['links', 'fix', '--match-titles', '--out', 'content', '--yes']),
  });
}

export const archiveIn = (home: BackupHome): Buffer =>
  readFileSync(home.at('content', `Welcome-${welcome}.zip`));
