import { join } from 'node:path'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { atEnd } from '../../kit/ends.ts'
import { cookieHeader } from '#deploy/local/testing/calls.ts'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { type Product, productAt, signedIn, startProduct, testPassword } from '#deploy/local/testing.ts'

/** The product that is fuzzed. `session` signs in again and returns the `Cookie` header of an administrator. */
export type Target = {
  product: Product
  data: string
  folder: string
  session(): Promise<string>
}

/** An input as text, the status or kind of its answer, and why that is wrong, if it is. */
export type Outcome = { input: string; answer?: string | undefined; wrong?: string | undefined }

/** Sends one input. The same random numbers make the same input. */
export type Fuzzer = { send(random: Random): Promise<Outcome>; close?(): Promise<void> }

/** Starts a product with a small storage, in this environment. */
export async function startTarget(folder: string, environment: NodeJS.ProcessEnv): Promise<Target> {
  const [data, tree] = [join(folder, 'data'), join(folder, 'tree')]
  makeTree(tree, 300)
  const started = await startProduct(data, { folder: tree, environment })
  atEnd(started.stop)
  const session = newSession(started.address)
  const product = productAt(started.address, started, session.call)
  return { product, data, folder, session: session.cookies }
}

const admin = { name: 'admin', password: testPassword }

/** Signs in as `admin`, and again after an input has ended the session. */
function newSession(address: string) {
  let cookies = new Map<string, string>()
  let current = signedIn(address, admin, cookies)
  const call: typeof current = async (...input) => {
    const response = await current(...input)
    if (response.status !== 401) return response
    cookies = new Map()
    current = signedIn(address, admin, cookies)
    return current(...input)
  }
  return {
    call,
    async cookies() {
      await call('GET', '/currentUserInfo')
      return cookieHeader(cookies)
    },
  }
}
