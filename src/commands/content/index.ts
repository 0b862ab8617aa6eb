import * as requestApi from '../../api/resources/change-requests.js';
import * as api from '../../api/resources/content.js';
import { usageError } from '../../base/errors.js';
import type { Command, Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/option.js';
import { downloadable } from '../../cli/run/download.js';
import { asksForNoForm, isReading } from '../../cli/run/output.js';
import { readResource, runOperation } from '../../cli/run/whole-run.js';
import { counted, grouped } from '../../output/text.js';
import { linkColumns } from '../shared/declarations.js';

/** `docs content pages get`: a person reads the page itself; its Markdown is printed where that was asked for. */

const raw = option('--raw', 'Print the Markdown of the page as it is', { conflicts: ['format'] });

/** The command, showing a page as text on a terminal. */
function markdownAsText(command: Command): Command {
  return {
    ...command,
    options: [...command.options, raw],
    async run(session, input) {
      const { raw: asked, ...options } = input.options;
      const isPlain = asksForNoForm(session);
      if (asked === true && !isPlain)
        throw usageError(
          'contradiction',
          '--raw prints text, which has no fields; remove it, or the other flags',
        );
      const wantsSource = asked === true || (options.format === 'markdown' && isPlain);
      const isRead = !wantsSource && options.format === undefined && isReading(session);
      if (!wantsSource && !isRead) return runOperation(session, command, { ...input, options });
      const markdownInput = { ...input, options: { ...options, format: 'markdown' } };
      const { markdown, title } = (await readResource(session, this, markdownInput)) as Partial<
        Record<'markdown' | 'title', unknown>
      >;
      if (typeof markdown === 'string' && isRead) {
        const { printMarkdown } = await import('../../cli/run/output.js');
        return printMarkdown(session, markdown, typeof title === 'string' ? title : undefined);
      }
      if (typeof markdown === 'string') return session.printer.text(endedWithNewline(markdown));
      if (isRead) return runOperation(session, command, { ...input, options });
      session.printer.note('This page has no Markdown.');
    },
  };
}

function endedWithNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

const pageColumns = ['title', { path: 'path', lead: true }, 'type', 'hidden', 'updatedAt', 'id'] as const;

const fileColumns = [
  'name',
  { path: 'size', as: 'bytes', lead: true },
  'contentType',
  { path: 'downloadURL', whole: true },
  'id',
] as const;

const pages: Group = {
  name: 'pages',
  noun: 'page',
  summary: 'Read the pages of a space or change request',
  why: 'Pages are named by their ids, which list shows.',
  commands: [
    command({
      name: 'list',
      operation: [requestApi.listChangeRequestPages, api.listPages],
      summary: 'List the pages of a space or change request',
      why:
        'Lists all pages depth first, as a tree on a terminal. JSON and YAML keep the tree as the platform ' +
        'returns it.',
      listIn: 'pages',
      children: 'pages',
      columns: [
        { path: 'title', indent: 'depth' },
        { path: 'path', lead: true },
        'type',
        'hidden',
        'updatedAt',
        'id',
      ],
      examples: {
        'content pages list --space s1': 'show the tree of pages',
        'content pages list --space s1 --change-request 3 --json':
          'print the nested pages of a change request',
        'content pages list --space s1 --fields depth,title,path -o csv':
          'list all pages as CSV, one per line',
      },
    }),
    markdownAsText(
      command({
        name: 'get',
        operation: [requestApi.getChangeRequestPage, api.getPage],
        summary: 'Get a page of a space or change request',
        why: 'Shows the text on a terminal, its fields with -o table. --raw prints the Markdown, as --format markdown does.',
        args: { pageId: '<page>' },
        columns: pageColumns,
        examples: {
          'content pages get p1 --space s1': 'show a page',
          'content pages get p1 --space s1 --format markdown': 'print the Markdown of a page',
          'content pages get p1 --space s1 --raw > page.md': 'save the Markdown of a page',
        },
      }),
    ),
    command({
      name: 'links',
      operation: [requestApi.listChangeRequestPageLinks, api.listPageLinks],
      summary: 'List the links of a page',
      why: 'Shows where the links of a page lead and which are broken.',
      args: { pageId: '<page>' },
      columns: linkColumns,
      examples: { 'content pages links p1 --space s1 --status broken': 'list the broken links of a page' },
    }),
  ],
};

const files: Group = {
  name: 'files',
  noun: 'file',
  summary: 'Read the files of a space or change request',
  why: 'Files are images and attachments of pages. backlinks lists the pages that use a file.',
  commands: [
    command({
      name: 'list',
      operation: [requestApi.listChangeRequestFiles, api.listFiles],
      summary: 'List the files of a space or change request',
      why: 'Shows the size and type of each file; --json includes the download address.',
      columns: fileColumns,
      examples: { 'content files list --space s1': 'list images and other files' },
    }),
    downloadable(
      command({
        name: 'get',
        operation: [requestApi.getChangeRequestFile, api.getFile],
        summary: 'Get a file of a space or change request',
        why: 'Shows the details of a file; --download saves the file itself.',
        args: { fileId: '<file>' },
        columns: fileColumns,
        examples: {
          'content files get f1 --space s1': 'show the details of a file',
          'content files get f1 --space s1 --download .': 'save a file under its own name',
          'content files get f1 --space s1 --download -': 'write the bytes of a file to standard output',
        },
      }),
      {
        url: ({ downloadURL }) => downloadURL,
        name: ({ name }) => name,
        size: ({ size }) => size,
        id: ({ id }) => id,
      },
    ),
    command({
      name: 'backlinks',
      operation: [requestApi.listChangeRequestFileBacklinks, api.listFileBacklinks],
      summary: 'List the pages that use a file',
      why: 'Shows pages that link to the file, show it, or have it as their cover.',
      args: { fileId: '<file>' },
      columns: ['page', 'kind', 'space', 'file', 'versionContext.revision', 'organization'],
      examples: { 'content files backlinks f1 --space s1': 'list the pages that use a file' },
    }),
  ],
};

export const content: Group = {
  name: 'content',
  noun: 'content',
  summary: 'Read and import pages and files',
  why:
    'Works on the published content of a space; with --change-request, on the content that a change ' +
    'request proposes.',
  commands: [
    command({
      name: 'get',
      operation: [requestApi.getChangeRequestContent, api.getContent],
      why: 'Prints the revision with all its pages and files. For a shorter list, use docs content pages list.',
      summary: 'Get the whole content of a space or change request',
      columns: ['type', 'createdAt', 'git.message', 'id'],
      examples: {
        'content get --space s1': 'get the current revision',
        'content get --space s1 --change-request 3 --no-computed --json':
          'get the revision of a change request',
      },
    }),
    command({
      name: 'import',
      operation: [requestApi.importChangeRequestContent, api.importContent],
      done: 'imported',
      says: ({ answered, named, path }) => {
        const [done, all] = [answered('importedResources'), answered('totalResources')];
        const request = path('changeRequestId');
        const space = named('space', path('spaceId'));
        const into = request === '' ? space : `${named('change request', request)} of ${space}`;
        const isCounted = typeof done === 'number' && typeof all === 'number';
        return isCounted
          ? `Imported ${grouped(done)} of ${counted(all, 'resource')} into ${into}`
          : `Imported content into ${into}`;
      },
      why: 'With --change-request, the space stays unchanged until the change request is merged.',
      summary: 'Import content from a URL',
      args: { url: '<url>' },
      flags: { source: { value: '<kind>' } },
      columns: ['importedResources', 'totalResources', 'revision'],
      id: 'revision',
      examples: {
        'content import https://acme.example/docs --space s1 --source website':
          'import the pages of a website into a space',
      },
    }),
    pages,
    files,
  ],
};
