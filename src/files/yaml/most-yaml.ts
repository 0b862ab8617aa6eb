/** YAML of more bytes takes seconds and hundreds of megabytes to parse. */
export const mostYaml = 2 * 1024 * 1024;
