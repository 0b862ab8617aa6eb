import { body, one, operation, page } from '../operation.js';
import { id, known, meant, shape, timestamp, User, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { contentOperations } from './content.js';

/** Change requests of a space (spec B, "Change request" and "Change requests"). */

const subject = Type.String({ maxLength: 100, description: 'Subject' });

export const ChangeRequest = shape({
  object: Type.Literal('change-request'),
  id,
  number: Type.Number(),
  status: meant('state', known(['draft', 'open', 'archived', 'merged'])),
  subject,
  createdBy: Type.Optional(User),
  createdAt: timestamp,
  updatedAt: timestamp,
  revision: Type.String(),
  revisionInitial: Type.String(),
  revisionMergedAncestor: Type.Optional(Type.String()),
  revisionMerged: Type.Optional(Type.String()),
  comments: Type.Number(),
  outdated: Type.Boolean(),
  urls: Type.Optional(urls(['app', 'location'])),
});
export type ChangeRequest = Static<typeof ChangeRequest>;

/** Result of a merge or an update (spec B, "Other response shapes"). */
const MergeResult = shape({ revision: Type.String(), result: known(['merge', 'conflicts']) });
const UpdateResult = shape({ revision: Type.String(), result: known(['update', 'conflicts']) });

const changeRequests = '/v1/spaces/{spaceId}/change-requests';
const changeRequest = `${changeRequests}/{changeRequestId}` as const;

export const listChangeRequests = operation('change-requests.list', 'GET', changeRequests, {
  summary: 'List the change requests of a space',
  query: {
    status: Type.Optional(
      known(['draft', 'open', 'archived', 'merged'], 'Only change requests with this status', {
        default: 'open',
      }),
    ),
    contributor: Type.Optional(
      Type.String({ description: 'Only change requests this user contributed to, by id' }),
    ),
  },
  returns: page(ChangeRequest),
});

export const createChangeRequest = operation('change-requests.create', 'POST', changeRequests, {
  summary: 'Create a change request',
  body: body({ subject: Type.Optional(subject) }),
  success: 201,
  returns: one(ChangeRequest),
  needs: 'edit',
});

export const getChangeRequest = operation('change-requests.get', 'GET', changeRequest, {
  summary: 'Get a change request',
  returns: one(ChangeRequest),
});

export const updateChangeRequest = operation('change-requests.update', 'PATCH', changeRequest, {
  summary: 'Update the subject or status of a change request',
  body: body({
    subject: Type.Optional(subject),
    status: Type.Optional(known(['draft', 'open', 'archived'], 'Status')),
  }),
  returns: one(ChangeRequest),
  needs: 'edit',
});

export const mergeChangeRequest = operation('change-requests.merge', 'POST', `${changeRequest}/merge`, {
  summary: 'Merge a change request into its space',
  returns: one(MergeResult),
  needs: 'review',
});

export const pullChangeRequest = operation('change-requests.pull', 'POST', `${changeRequest}/update`, {
  summary: 'Pull the latest content into a change request',
  returns: one(UpdateResult),
  needs: 'edit',
});

export const getChangeRequestPdf = operation('change-requests.pdf', 'GET', `${changeRequest}/pdf`, {
  summary: 'Get a PDF of a change request',
  query: {
    only: Type.Optional(Type.Boolean({ description: 'Print only the given page' })),
    page: Type.Optional(Type.String({ description: 'Page to print, by id' })),
  },
  returns: one(shape({ url: Type.String() })),
});

/** Content of change requests (spec B, "Change request content"). */

const path = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content';

export const {
  get: getChangeRequestContent,
  import: importChangeRequestContent,
  pages: listChangeRequestPages,
  page: getChangeRequestPage,
  links: listChangeRequestPageLinks,
  files: listChangeRequestFiles,
  file: getChangeRequestFile,
  backlinks: listChangeRequestFileBacklinks,
} = contentOperations(path, 'change-request-content', 'a change request', {});
