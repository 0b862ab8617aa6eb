import { ChangeRequest } from '../../api/resources/change-requests.js';
import { apiUrl, appUrl } from './fields.js';
import type { ChangeRequestRow } from './in-path.js';
import { layoutOf } from './layout.js';
import { toUser } from './org.js';

export const changeRequestLayout = layoutOf(ChangeRequest, {
  computed: ['createdBy', 'urls'],
  columns: { revision: 'revision_id', comments: 'comments_open' },
  counted: ['comments', 'outdated'],
});

/** A change request (spec B, "Change request"). */
export function toChangeRequest(row: ChangeRequestRow): ChangeRequest {
  const { user_id } = row;
  return changeRequestLayout.item(row, {
    createdBy: user_id === null ? undefined : toUser({ ...row, user_id }),
    urls: {
      app: appUrl(`/o/${row.org_id}/s/${row.space_id}/~/changes/${row.number}`),
      location: apiUrl(`/spaces/${row.space_id}/change-requests/${row.id}`),
    },
  });
}
