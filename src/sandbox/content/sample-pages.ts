import { crc32, deflateSync } from 'node:zlib';
import type { PageAttributes } from './versions.js';

/** A generated page with its children. */
export interface WrittenPage {
  title: string;
  /** Default: derived from the title. */
  slug?: string;
  description?: string;
  attributes?: PageAttributes;
  /** Path of the cover image. */
  cover?: string;
  markdown: string;
  pages?: readonly WrittenPage[];
}

export interface WrittenFile {
  path: string;
  bytes: Uint8Array;
}

export function sampleFiles(): WrittenFile[] {
  return [
    { path: 'images/logo.png', bytes: logoPng() },
    { path: 'files/checklist.txt', bytes: Buffer.from(checklist) },
  ];
}

const checklist = 'Before you publish\n\n1. Read it aloud.\n2. Check the links.\n3. Ask a colleague.\n';

/** Sample content of a new space: a few pages that link to each other. */
export const samplePages: readonly WrittenPage[] = [
  {
    title: 'Welcome',
    description: 'Where to begin',
    attributes: { emoji: '👋', layout: { tableOfContents: true, outline: true } },
    markdown: `Everything about our product, for those who use it and those who build it.

![Logo](images/logo.png)

## Begin here

- New here? The [quickstart](getting-started/quickstart.md) takes ten minutes.
- Moving from another tool? Read [how reviews work](guides/reviews.md).
- Looking for a word? See the [FAQ](faq.md).

## Help

Write to [support](mailto:support@acme.example) or see the [status page](https://status.acme.example/).`,
  },
  {
    title: 'Getting started',
    description: 'From an empty account to the first published page',
    attributes: { emoji: '🚀' },
    markdown: `Three steps lead to your first published page.

1. [Quickstart](quickstart.md)
2. [Invite your team](invite-your-team.md)

The [checklist](../files/checklist.txt) helps not to forget one.`,
    pages: [
      {
        title: 'Quickstart',
        description: 'Ten minutes to the first page',
        attributes: { icon: 'bolt' },
        markdown: `## Create a space

Spaces hold pages and files. Give each a title that says for whom it is.

## Write a page

\`\`\`markdown
# Title

[A link that is code](not/checked.md)
\`\`\`

## Publish it

Put the space on a site, then [invite your team](invite-your-team.md).`,
      },
      {
        title: 'Invite your team',
        markdown: `## Roles

| Role | May |
| --- | --- |
| read | read |
| comment | comment |
| edit | edit pages |
| review | merge change requests |

## Single sign-on

Organizations with SAML can link members to it, see [how reviews work](../guides/reviews.md#who-may-merge).`,
      },
    ],
  },
  {
    title: 'Guides',
    attributes: { emoji: '🧭' },
    markdown: 'How to do things, one page each.',
    pages: [
      {
        title: 'Reviews',
        description: 'Change requests, from draft to merge',
        cover: 'images/logo.png',
        markdown: `A change request holds changes until somebody has read them.

## Who may merge

Whoever has the role review or a higher one.

## Outdated requests

When another one is merged first, pull the main content in. What both changed is a conflict.`,
        pages: [
          {
            title: 'Conflicts',
            markdown: `Two change requests that edit one page cannot both be merged as they are.

See also [moving content between spaces](../moving-content.md).`,
          },
        ],
      },
      {
        title: 'Publishing',
        markdown: `Open the [app](https://app.sandbox.example/home) and choose who may read.

## Visibility

Public sites are indexed by search engines; unlisted ones are not.`,
      },
    ],
  },
  {
    title: 'FAQ',
    slug: 'faq',
    attributes: { hidden: true, noIndex: true },
    markdown: `## Can I undo a deletion?

Deleted spaces can be restored for seven days.

## Where are my files?

Beside your pages: the logo is at [images/logo.png](images/logo.png).`,
  },
];

const size = 32;

/** A small PNG: a white ring on blue, 32 pixels square. Uncompressed, so that its bytes are the same everywhere. */
function logoPng(): Uint8Array {
  const rows = Array.from({ length: size }, (_, y) => [
    0,
    ...Array.from({ length: size }, (_, x) => pixel(x, y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // Eight bits a channel, red, green and blue.
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pixel(x: number, y: number): [number, number, number] {
  const distance = Math.hypot(x - (size - 1) / 2, y - (size - 1) / 2);
  return distance > 6 && distance < 12 ? [255, 255, 255] : [37, 99, 235];
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
