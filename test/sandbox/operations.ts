/** The operations of the platform and their resources, under one name. */
export * from '../../src/api/resources/change-requests.js';
export * from '../../src/api/resources/collections.js';
export * from '../../src/api/resources/comments.js';
export * from '../../src/api/resources/content.js';
export * from '../../src/api/resources/custom-fields.js';
export * from '../../src/api/resources/members.js';
export * from '../../src/api/resources/openapi.js';
export * from '../../src/api/resources/orgs.js';
export * from '../../src/api/resources/published-sites.js';
export * from '../../src/api/resources/saml.js';
export * from '../../src/api/resources/sections.js';
export * from '../../src/api/resources/site-spaces.js';
export * from '../../src/api/resources/sites.js';
export * from '../../src/api/resources/spaces.js';
export * from '../../src/api/resources/teams.js';
export * from '../../src/api/resources/translations.js';
