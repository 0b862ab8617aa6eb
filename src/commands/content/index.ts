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
  summary: 'Pages of a space or change request',
  why: 'A page is named by its id, which list shows.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: [listChangeRequestPages, listPages],
      summary: 'List the pages of a space or change request',
      why: 'All pages, depth first; on a terminal as a tree. JSON and YAML keep the tree as the platform answers it.',
      listIn: 'pages',
      children: 'pages',
      columns: [{ path: 'title', indent: 'depth' }, 'path', 'type', 'hidden', 'updatedAt', 'id'],
      examples: [
        { run: 'content pages list --space s1', does: 'the tree of pages' },
        {
          run: 'content pages list --space s1 --change-request 5 --json',
          does: 'that of a change request, nested',
        },
        {
          run: 'content pages list --space s1 --fields depth,title,path -o csv',
          does: 'all pages, one a line',
        },
      ],
    }),
    markdownAsText(
      command({
        name: 'get',
        operation: [getChangeRequestPage, getPage],
        summary: 'Get a page of a space or change request',
        why: 'With --format markdown and no other output asked for, the Markdown itself is printed.',
        args: { pageId: '<page>' },
        columns: pageColumns,
        examples: [
          { run: 'content pages get p1 --space s1', does: 'one page' },
          { run: 'content pages get p1 --space s1 --format markdown', does: 'its text, ready for a file' },
        ],
      }),
    ),
    command({
      name: 'links',
      operation: [listChangeRequestPageLinks, listPageLinks],
      summary: 'List the links of a page of a space or change request',
      why: 'To find what a page leads to, and which of it is broken, before it is published.',
      args: { pageId: '<page>' },
      columns: linkColumns,
      examples: [
        { run: 'content pages links p1 --space s1 --status broken', does: 'what no longer leads anywhere' },
      ],
    }),
  ],
};

const files: Group = {
  name: 'files',
  noun: 'file',
  summary: 'Files of a space or change request',
  why: 'Images and other files of the pages; backlinks tells which pages use one, before you replace it.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: [listChangeRequestFiles, listFiles],
      summary: 'List the files of a space or change request',
      why: 'Every image and attachment with its size and type; the address to fetch it is in --json.',
      columns: fileColumns,
      examples: [{ run: 'content files list --space s1', does: 'images and other files' }],
    }),
    downloadable(
      command({
        name: 'get',
        operation: [getChangeRequestFile, getFile],
        summary: 'Get a file of a space or change request',
        why: 'What is known of a file, or with --download the file itself.',
        args: { fileId: '<file>' },
        columns: fileColumns,
        examples: [
          { run: 'content files get f1 --space s1', does: 'what is known of a file' },
          { run: 'content files get f1 --space s1 --download .', does: 'save it under its own name' },
          {
            run: 'content files get f1 --space s1 --download -',
            does: 'its bytes on standard output, for a pipe',
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
      summary: 'List where a file of a space or change request is used',
      why: 'Which pages would show a gap if the file were gone.',
      args: { fileId: '<file>' },
      columns: ['kind', 'space', 'file', 'versionContext.revision', 'organization'],
      examples: [{ run: 'content files backlinks f1 --space s1', does: 'whether it can go' }],
    }),
  ],
};

export const content: Group = {
  name: 'content',
  noun: 'content',
  summary: 'Pages and files of a space or change request',
  why: 'Works on the space, or with --change-request on what a change request proposes.',
  commands: [
    command({
      name: 'get',
      operation: [getChangeRequestContent, getContent],
      why: 'The revision with all its pages and files; docs content pages list is shorter.',
      summary: 'Get the content of a space or change request as a whole',
      columns: ['type', 'createdAt', 'git.message', 'id'],
      examples: [
        { run: 'content get --space s1', does: 'the current revision' },
        {
          run: 'content get --space s1 --change-request 5 --no-computed --json',
          does: 'that of a change request',
        },
      ],
    }),
    command({
      name: 'import',
      operation: [importChangeRequestContent, importContent],
      why: 'Into a change request, it leaves the space as it is until the merge.',
      summary: 'Import content into a space or change request from a URL',
      args: { url: '<url>' },
      flags: { source: { value: '<kind>' } },
      columns: ['importedResources', 'totalResources', 'revision'],
      id: 'revision',
      examples: [
        {
          run: 'content import https://acme.example/docs --space s1 --source website',
          does: 'pages of a website into a space',
        },
      ],
    }),
    pages,
    files,
  ],
};
