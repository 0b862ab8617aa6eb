import * as onChangeReplies from '../../../api/resources/change-request-comment-replies.js';
import * as onChange from '../../../api/resources/change-request-comments.js';
import {
  getChangeRequestContent,
  getChangeRequestPage,
} from '../../../api/resources/change-request-content.js';
import { getChangeRequest, listChangeRequests } from '../../../api/resources/change-requests.js';
import * as replies from '../../../api/resources/comment-replies.js';
import * as comments from '../../../api/resources/comments.js';
import { getContent, getPage } from '../../../api/resources/content.js';
import type { ContentPage, Revision } from '../../../api/resources/revisions.js';
import { putChangeRequest } from '../../../sandbox/copy/change-requests.js';
import { putComments } from '../../../sandbox/copy/comments.js';
import { putContent } from '../../../sandbox/copy/content.js';
import type { PageText } from '../../../sandbox/copy/content-pages.js';
import { allItems } from '../../../snapshot/lists.js';
import type { Loaders, Loading } from './part.js';
import { keepAgain } from './structure.js';

const statuses = ['draft', 'open', 'archived', 'merged'] as const;

/**
 * Content, change requests and comments. Of the content of a space a copy holds the tree of pages and the list of
 * files; texts only where a change request differs, since what the copy does not change the platform tells.
 */
export const content: Loaders = {
  async content(loading, spaceId) {
    await loading.need(['space', spaceId]);
    const revision = await loading.client.call(getContent, { path: { spaceId } });
    loading.put((db) => putContent(db, spaceId, { revision, texts: new Map(), bytes: new Map() }));
  },

  /** The content of a space with the texts of all pages. */
  async texts(loading, spaceId) {
    await loading.need(['space', spaceId]);
    const revision = await loading.client.call(getContent, { path: { spaceId } });
    const texts = new Map<string, PageText>();
    for (const { id } of pagesOf(revision)) texts.set(id, await textOf(loading, { spaceId }, id));
    loading.put((db) => putContent(db, spaceId, { revision, texts, bytes: new Map() }));
  },

  async 'change-request'(loading, spaceId, changeRequestId) {
    await loading.need(['space', spaceId]);
    const request = await loading.client.call(getChangeRequest, { path: { spaceId, changeRequestId } });
    loading.put((db) => putChangeRequest(db, spaceId, request));
    await keepAgain(loading, spaceId);
  },

  /** A change request with its content, and the texts that differ from those of the space. */
  async 'change-request-content'(loading, spaceId, changeRequestId) {
    await loading.need(['content', spaceId], ['change-request', spaceId, changeRequestId]);
    const path = { spaceId, changeRequestId };
    const request = await loading.client.call(getChangeRequest, { path });
    const main = await loading.client.call(getContent, { path: { spaceId } });
    const revision = await loading.client.call(getChangeRequestContent, { path });
    const known = new Map(pagesOf(main).map((page) => [page.id, page]));
    const differing = pagesOf(revision).filter(
      ({ id, documentId }) => known.get(id)?.documentId !== documentId,
    );
    const [mainTexts, texts] = [new Map<string, PageText>(), new Map<string, PageText>()];
    for (const { id } of differing) {
      if (known.has(id)) mainTexts.set(id, await textOf(loading, { spaceId }, id));
      texts.set(id, await textOf(loading, path, id));
    }
    loading.put((db) => {
      putContent(db, spaceId, { revision: main, texts: mainTexts, bytes: new Map() });
      putChangeRequest(db, spaceId, request, { revision, texts, bytes: new Map() });
    });
  },

  /** The change requests that a merge makes outdated. */
  async 'open-requests'(loading, spaceId) {
    await loading.need(['space', spaceId]);
    for (const status of ['draft', 'open'] as const) {
      const input = { path: { spaceId }, query: { status } };
      for await (const request of loading.client.call(listChangeRequests, input))
        loading.put((db) => putChangeRequest(db, spaceId, request));
    }
    await keepAgain(loading, spaceId);
  },

  /** The last change request of each status, of which one has the last number. */
  async 'last-requests'(loading, spaceId) {
    await loading.need(['space', spaceId]);
    for (const status of statuses) {
      const input = { path: { spaceId }, query: { status } };
      for await (const request of loading.client.call(listChangeRequests, input, { most: 1 }))
        loading.put((db) => putChangeRequest(db, spaceId, request));
    }
    await keepAgain(loading, spaceId);
  },

  /** A comment with its replies; of a change request if a third id names one. */
  async comment(loading, spaceId, commentId, changeRequestId) {
    const { client } = loading;
    const query = { format: 'markdown' } as const;
    if (changeRequestId === undefined) {
      await loading.need(['space', spaceId]);
      const path = { spaceId, commentId };
      const comment = await client.call(comments.getComment, { path, query });
      const found = await allItems(client.call(replies.listCommentReplies, { path, query }));
      loading.put((db) => putComments(db, { spaceId }, [{ comment, replies: found }]));
      await keepAgain(loading, spaceId);
      return;
    }
    await loading.need(['change-request', spaceId, changeRequestId]);
    const path = { spaceId, commentId, changeRequestId };
    const comment = await client.call(onChange.getChangeRequestComment, { path, query });
    const found = await allItems(
      client.call(onChangeReplies.listChangeRequestCommentReplies, { path, query }),
    );
    loading.put((db) => putComments(db, { spaceId, changeRequestId }, [{ comment, replies: found }]));
  },
};

/** The pages of a revision, at any depth. */
function pagesOf({ pages }: Pick<Revision, 'pages'>): ContentPage[] {
  const walk = (list: readonly ContentPage[]): ContentPage[] =>
    list.flatMap((page) => [page, ...walk((page.pages ?? []) as ContentPage[])]);
  return walk(pages);
}

async function textOf(
  { client }: Loading,
  path: { spaceId: string; changeRequestId?: string },
  pageId: string,
): Promise<PageText> {
  const { spaceId, changeRequestId } = path;
  const read = (format: 'markdown' | 'document') =>
    changeRequestId === undefined
      ? client.call(getPage, { path: { spaceId, pageId }, query: { format } })
      : client.call(getChangeRequestPage, { path: { spaceId, changeRequestId, pageId }, query: { format } });
  const [{ markdown = '' }, { document }] = await Promise.all([read('markdown'), read('document')]);
  return { markdown, document };
}
