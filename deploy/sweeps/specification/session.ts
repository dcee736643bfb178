import { get, one, post, type Row, text } from './row.ts'

const user = 'id name email roles bundles'

/** Document 1, section 7: the session. */
export const session: Row[] = [
  get(
    '/api/currentUserInfo',
    one(
      user,
      {
        email: 'ana@example.com',
        roles: [{ authority: 'ROLE_ADMIN' }],
        bundles: ['storageManager', 'archiwareP5', 'soda', 'iconik'],
      },
      { user: 'id' },
    ),
  ),
  get('/api/doPublicUrl', text),
  get('/api/loginInfo', one('loginUrl')),
]

/** For another user, as it ends the session. */
export const signOut: Row[] = [post('/logout', undefined, one('logoutUrl'))]
