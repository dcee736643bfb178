import type { Random } from '#server/snapshots/oracle/random.ts'
import type { Product } from '../../local/testing.ts'

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
