import { randomBytes, randomUUID } from 'node:crypto'
import type { Express } from 'express'
import type { Insertable, RawBuilder } from 'kysely'
import request from 'supertest'
import { metricsRole, type Role, type TokenRole } from '#events/contract/needs.ts'
import { csrfCookie, csrfHeader, sessionCookie } from '#events/users/session.ts'
import { hashPassword } from '#server/platform/password.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { createPriceBook } from '#server/content/price-books/index.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { hash, openSession } from '#server/platform/callers/session.ts'

const token = 'a-cross-site-token-of-the-tests-with-43-letters'

/** Creates a user; without a password no one can sign in by that name. */
export async function testUser(db: Db, roles: Role[], password?: string): Promise<{ id: number; name: string }> {
  const name = `user-${randomUUID()}`
  const passwordHash = password === undefined ? null : await hashPassword(password)
  const user = await db
    .insertInto('users')
    .values({ name, roles, passwordHash })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: user.id, name }
}

/** The session of a new user with these roles. */
export const testSession = async (db: Db, roles: Role[]): Promise<string> =>
  openSession(db, (await testUser(db, roles)).id, '127.0.0.1')

/** Sets the time at which a user's sessions were confirmed. */
export async function confirmedAt(db: Db, userId: number, at: RawBuilder<Date>): Promise<void> {
  await db.updateTable('sessions').set({ confirmedAt: at }).where('userId', '=', userId).execute()
}

/** A price book with zero prices, for drafts of storages. */
export async function testPriceBook(db: Db): Promise<{ id: number }> {
  const book = { description: `Free ${randomUUID()}`.slice(0, 25), currencySymbol: '$', price: 0, classPrices: [] }
  return db.transaction().execute(async (trx) => ({ id: await createPriceBook(changeIn(trx, system), book) }))
}

/** An API token of a user, by default a new one with its roles. */
export async function testToken(db: Db, roles: TokenRole[], user?: number): Promise<{ token: string; id: number }> {
  const token = `di_${randomBytes(32).toString('base64url')}`
  const userId =
    user ??
    (
      await testUser(
        db,
        roles.filter((role) => role !== metricsRole),
      )
    ).id
  const expiresAt = new Date(Date.now() + 3_600_000)
  const row = { userId, name: token, tokenHash: hash(token), roles, expiresAt }
  const { id } = await db.insertInto('apiTokens').values(row).returning('id').executeTakeFirstOrThrow()
  return { token, id }
}

/** Reads the metrics with a token for them. */
export async function scrapeAll(app: Express, db: Db): Promise<string> {
  const { id } = await testUser(db, ['ROLE_ADMIN'])
  const { token } = await testToken(db, [metricsRole], id)
  return (await request(app).get('/actuator/prometheus').set('Authorization', `Bearer ${token}`).expect(200)).text
}

type FoundRun = Partial<Insertable<Tables['reportRuns']>> & { templateId: number }

/** Adds a run of a report that succeeded. */
export async function addReportRun(db: Db, found: FoundRun): Promise<void> {
  const row = { jobId: 1, by: 'ana', status: 'SUCCESS' as const, startedAt: new Date(), endedAt: new Date() }
  await db
    .insertInto('reportRuns')
    .values({ ...row, ...found })
    .execute()
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Makes requests like a browser with this session: with its cookies and the cross-site token. */
export const asUser =
  (app: Express, session: string | undefined) => (method: Method, path: string, body?: string | object) => {
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    const cookies = [`${csrfCookie}=${token}`, ...(session ? [`${sessionCookie}=${session}`] : [])]
    const response = request(app)[verb](path).set('Cookie', cookies.join('; ')).set(csrfHeader, token)
    return body === undefined ? response : response.set('Content-Type', 'application/json').send(body)
  }
