import {
  deleteMember,
  linkMemberSso,
  listMembers,
  type Member,
  updateMember,
} from '../../api/resources/members.js';
import { Type } from '../../api/type.js';
import type { Field, Kind } from '../kind.js';
import type { LiveItem } from '../model.js';
import { fieldsFrom, listed, liveItem } from './declare.js';

const fields: readonly Field[] = [
  ...fieldsFrom(updateMember, { role: { nullAs: 'guest' } }),
  {
    key: 'sso',
    name: 'sso',
    schema: Type.Boolean({ description: linkMemberSso.summary }),
    setBy: { op: linkMemberSso, body: () => undefined },
    oneWay: { to: true, message: 'No operation removes a member from SSO.' },
  },
];
const name = 'people';

export const people: Kind = {
  name,
  one: 'member',
  spot: { file: 'people.yaml', list: 'people' },
  parents: ['root'],
  key: { field: 'email' },
  parameter: 'userId',
  fields,
  reads: [listMembers],
  list: (reading) => listed(reading, listMembers, personOf),
  update: updateMember,
  remove: deleteMember,
  cannot: {
    create: {
      message: 'No operation creates a member.',
      hint: ({ key }) => `Invite ${key}, who then joins.`,
    },
  },
};

/** Organizations have many members, so each is kept as small as undo allows. */
function personOf(member: Member): LiveItem {
  const { id, role, sso, disabled } = member;
  const { email, displayName } = member.user;
  const title = email ?? displayName;
  const user = { id: member.user.id, ...(email !== undefined && { email }) };
  // A disabled admin counts for no guard.
  const resource = { id, role, sso, ...(disabled && { disabled }), user };
  return liveItem({ name, fields }, resource, { title, ...(email !== undefined && { natural: email }) });
}
