import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { answersAt } from '../sambaServer.ts'

const port = 2049

/**
 * A real NFS server (version 4) that exports a folder as `/media` to everyone, and as `/signed` to clients with
 * Kerberos.
 */
export function nfsServer(scratch: string, folder: string) {
  mkdirSync(join(scratch, 'recovery'), { recursive: true })
  const conf = join(scratch, 'ganesha.conf')
  writeFileSync(conf, configuration(scratch, folder))
  const options = ['-F', '-f', conf, '-L', join(scratch, 'log'), '-p', join(scratch, 'pid')]
  let child: ReturnType<typeof spawn> | undefined
  return {
    async start(): Promise<void> {
      child = spawn('ganesha.nfsd', options, { stdio: 'ignore' })
      while (!(await answersAt(port))) await wait(50)
    },
    /** Keeps its connections but stops responding, like a machine that hangs. */
    suspend: async () => void child?.kill('SIGSTOP'),
    resume: async () => void child?.kill('SIGCONT'),
    async stop(): Promise<void> {
      child?.kill('SIGKILL')
      if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const configuration = (scratch: string, folder: string) => `
NFS_CORE_PARAM { Protocols = 4; NFS_Port = ${port}; Bind_addr = 127.0.0.1; Enable_NLM = false; Enable_RQUOTA = false; }
NFSV4 { Graceless = true; RecoveryBackend = fs_ng; Recov_Root = "${scratch}/recovery"; }
EXPORT { Export_Id = 1; Path = ${folder}; Pseudo = /media; Protocols = 4; Access_Type = RW; Squash = No_Root_Squash;
  SecType = sys; FSAL { Name = VFS; } }
EXPORT { Export_Id = 2; Path = ${folder}/signed; Pseudo = /signed; Protocols = 4; Access_Type = RO;
  SecType = krb5; FSAL { Name = VFS; } }
`
