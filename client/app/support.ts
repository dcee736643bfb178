/** Where users find help: the calls of this server, and the people behind the product. */
export const support = {
  help: '/api/docs',
  contact: 'https://www.dataintell.io',
}
