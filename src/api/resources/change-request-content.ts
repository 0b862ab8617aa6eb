import { contentOperations } from './content.js';

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
