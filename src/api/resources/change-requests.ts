import { body, one, operation, page } from '../operation.js';
import { id, known, meant, shape, timestamp, User, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';

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
export const MergeResult = shape({ revision: Type.String(), result: known(['merge', 'conflicts']) });
export const UpdateResult = shape({ revision: Type.String(), result: known(['update', 'conflicts']) });

const changeRequests = '/v1/spaces/{spaceId}/change-requests';
const changeRequest = `${changeRequests}/{changeRequestId}` as const;

export const listChangeRequests = operation({
  id: 'change-requests.list',
  method: 'GET',
  path: changeRequests,
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
  success: 200,
  returns: page(ChangeRequest),
});

export const createChangeRequest = operation({
  id: 'change-requests.create',
  method: 'POST',
  path: changeRequests,
  summary: 'Create a change request',
  body: body({ subject: Type.Optional(subject) }),
  success: 201,
  returns: one(ChangeRequest),
  needs: 'edit',
});

export const getChangeRequest = operation({
  id: 'change-requests.get',
  method: 'GET',
  path: changeRequest,
  summary: 'Get a change request',
  success: 200,
  returns: one(ChangeRequest),
});

export const updateChangeRequest = operation({
  id: 'change-requests.update',
  method: 'PATCH',
  path: changeRequest,
  summary: 'Update the subject or status of a change request',
  body: body({
    subject: Type.Optional(subject),
    status: Type.Optional(known(['draft', 'open', 'archived'], 'Status')),
  }),
  success: 200,
  returns: one(ChangeRequest),
  needs: 'edit',
});

export const mergeChangeRequest = operation({
  id: 'change-requests.merge',
  method: 'POST',
  path: `${changeRequest}/merge`,
  summary: 'Merge a change request into its space',
  success: 200,
  returns: one(MergeResult),
  needs: 'review',
});

export const pullChangeRequest = operation({
  id: 'change-requests.pull',
  method: 'POST',
  path: `${changeRequest}/update`,
  summary: 'Pull the content of the space into a change request',
  success: 200,
  returns: one(UpdateResult),
  needs: 'edit',
});

export const getChangeRequestPdf = operation({
  id: 'change-requests.pdf',
  method: 'GET',
  path: `${changeRequest}/pdf`,
  summary: 'Get a PDF of a change request',
  query: {
    only: Type.Optional(Type.Boolean({ description: 'Only the given page' })),
    page: Type.Optional(Type.String({ description: 'Page to print, by id' })),
  },
  success: 200,
  returns: one(shape({ url: Type.String() })),
});
