import { fileOperations, pageOperations, revisionOperations } from './content.js';

/** Content of change requests (spec B, "Change request content"). */

const content = {
  prefix: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content',
  id: 'change-request-content',
  of: 'a change request',
} as const;

export const { get: getChangeRequestContent, import: importChangeRequestContent } =
  revisionOperations(content);

export const {
  list: listChangeRequestPages,
  get: getChangeRequestPage,
  links: listChangeRequestPageLinks,
} = pageOperations(content, {});

export const {
  list: listChangeRequestFiles,
  get: getChangeRequestFile,
  backlinks: listChangeRequestFileBacklinks,
} = fileOperations(content);
