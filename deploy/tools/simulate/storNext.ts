import { startStorNext } from '#agent/systems/stornext/simulator/index.ts'
import type { Simulated, SimulateOptions } from './options.ts'

const root = '/stornext/snfs1/projects'
const foldersOf = 100

/** A StorNext with files on disk and two copies for one class. Tapes are ten times as fast as real ones. */
export async function simulateStorNext({ entries, port = 8_081, log }: SimulateOptions): Promise<Simulated> {
  const stornext = await startStorNext({ port, clock: { speed: 10 }, onAnswer: log })
  stornext.addClass('safe', { directories: ['/stornext/snfs1/masters'], copies: 2 })
  for (let i = 0; i < entries; i++)
    stornext.addFile(`${root}/reel-${i % foldersOf}/clip-${i}.mov`, { size: 1_000_000 + i })
  const [user] = stornext.signIn.users
  return {
    Host: stornext.url,
    Address: stornext.url,
    User: user?.username ?? '',
    Password: user?.password ?? '',
    Files: `${entries} in ${root}`,
    Classes: '/stornext/snfs1 (1 copy), /stornext/snfs1/masters (2 copies)',
  }
}
