import {
  getChangeRequestContent,
  getChangeRequestFile,
  getChangeRequestPage,
  importChangeRequestContent,
  listChangeRequestFileBacklinks,
  listChangeRequestFiles,
  listChangeRequestPageLinks,
  listChangeRequestPages,
} from '../../api/resources/change-request-content.js';
import {
  getContent,
  getFile,
  getPage,
  importContent,
  listFileBacklinks,
  listFiles,
  listPageLinks,
  listPages,
} from '../../api/resources/content.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { downloadable } from '../../cli/run/download.js';
import { linkColumns } from '../links/columns.js';
import { markdownAsText } from './page-markdown.js';

const pageColumns = ['title', 'path', 'type', 'hidden', 'updatedAt', 'id'] as const;

const fileColumns = ['name', { path: 'size', as: 'bytes' }, 'contentType', 'downloadURL', 'id'] as const;

const pages: Group = {
  name: 'pages',
  noun: 'page',
  summary: 'Read the pages of a space or change request',
  why: 'Pages are named by their ids, which list shows.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: [listChangeRequestPages, listPages],
      summary: 'List the pages of a space or change request',
      why:
        'Lists all pages depth first, as a tree on a terminal. JSON and YAML keep the tree as the platform ' +
        'returns it.',
      listIn: 'pages',
      children: 'pages',
      columns: [{ path: 'title', indent: 'depth' }, 'path', 'type', 'hidden', 'updatedAt', 'id'],
      examples: [
        { run: 'content pages list --space s1', does: 'show the tree of pages' },
        {
          run: 'content pages list --space s1 --change-request 5 --json',
          does: 'print the nested pages of a change request',
        },
        {
          run: 'content pages list --space s1 --fields depth,title,path -o csv',
          does: 'list all pages as CSV, one per line',
        },
      ],
    }),
    markdownAsText(
      command({
        name: 'get',
        operation: [getChangeRequestPage, getPage],
        summary: 'Get a page of a space or change request',
        why: 'With --format markdown and no other output format, it prints the Markdown itself.',
        args: { pageId: '<page>' },
        columns: pageColumns,
        examples: [
          { run: 'content pages get p1 --space s1', does: 'show a page' },
          { run: 'content pages get p1 --space s1 --format markdown', does: 'print the Markdown of a page' },
        ],
      }),
    ),
    command({
      name: 'links',
      operation: [listChangeRequestPageLinks, listPageLinks],
      summary: 'List the links of a page',
      why: 'Shows where the links of a page lead and which are broken.',
      args: { pageId: '<page>' },
      columns: linkColumns,
      examples: [
        { run: 'content pages links p1 --space s1 --status broken', does: 'list the broken links of a page' },
      ],
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
      aliases: ['ls'],
      operation: [listChangeRequestFiles, listFiles],
      summary: 'List the files of a space or change request',
      why: 'Shows the size and type of each file; --json includes the download address.',
      columns: fileColumns,
      examples: [{ run: 'content files list --space s1', does: 'list images and other files' }],
    }),
    downloadable(
      command({
        name: 'get',
        operation: [getChangeRequestFile, getFile],
        summary: 'Get a file of a space or change request',
        why: 'Shows the details of a file; --download saves the file itself.',
        args: { fileId: '<file>' },
        columns: fileColumns,
        examples: [
          { run: 'content files get f1 --space s1', does: 'show the details of a file' },
          { run: 'content files get f1 --space s1 --download .', does: 'save a file under its own name' },
          {
            run: 'content files get f1 --space s1 --download -',
            does: 'write the bytes of a file to standard output',
          },
        ],
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
      operation: [listChangeRequestFileBacklinks, listFileBacklinks],
      summary: 'List the pages that use a file',
      why: 'Use it before you replace or remove a file.',
      args: { fileId: '<file>' },
      columns: ['kind', 'space', 'file', 'versionContext.revision', 'organization'],
      examples: [{ run: 'content files backlinks f1 --space s1', does: 'list the pages that use a file' }],
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
      operation: [getChangeRequestContent, getContent],
      why: 'Prints the revision with all its pages and files. For a shorter list, use docs content pages list.',
      summary: 'Get the whole content of a space or change request',
      columns: ['type', 'createdAt', 'git.message', 'id'],
      examples: [
        { run: 'content get --space s1', does: 'get the current revision' },
        {
          run: 'content get --space s1 --change-request 5 --no-computed --json',
          does: 'get the revision of a change request',
        },
      ],
    }),
    command({
      name: 'import',
      operation: [importChangeRequestContent, importContent],
      why: 'With --change-request, the space stays unchanged until the change request is merged.',
      summary: 'Import content from a URL',
      args: { url: '<url>' },
      flags: { source: { value: '<kind>' } },
      columns: ['importedResources', 'totalResources', 'revision'],
      id: 'revision',
      examples: [
        {
          run: 'content import https://acme.example/docs --space s1 --source website',
          does: 'import the pages of a website into a space',
        },
      ],
    }),
    pages,
    files,
  ],
};
