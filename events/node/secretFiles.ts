import { readFileSync } from 'node:fs'

/** An environment with the contents of secret files, variables with such files, and a sentence for each unusable one. */
export type SecretsRead = { environment: NodeJS.ProcessEnv; files: ReadonlySet<string>; problems: string[] }

/** Form of the seed of an nkey. */
export const seedForm = /^SU[A-Z2-7]{56}$/

/** Names of the variables of a schema, and of those that name the files of secrets. */
export const withFileNames = (variables: object, secrets: readonly string[]): string[] => [
  ...Object.keys(variables),
  ...secrets.map((name) => `${name}_FILE`),
]

/** An invalid variable, as zod reports it. */
type Issue = { path: readonly PropertyKey[]; message: string }

/**
 * For each of `names`, `NAME_FILE` may name a file with the value of `NAME`, as secrets of containers and credentials of
 * systemd are. Ends of lines at its end don't count, because most editors add one. Empty variables count as unset.
 */
export function readSecretFiles(given: NodeJS.ProcessEnv, names: readonly string[]): SecretsRead {
  const environment = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const files = new Set<string>()
  const problems: string[] = []
  for (const name of names) {
    const variable = `${name}_FILE`
    const file = environment[variable]
    if (file === undefined) continue
    files.add(name)
    if (environment[name] !== undefined) {
      problems.push(`${variable}: ${name} is also set. Remove one of them`)
      continue
    }
    const read = readSecret(file)
    if ('secret' in read) environment[name] = read.secret
    else problems.push(`${variable}: ${file} ${read.problem}`)
  }
  return { environment, files, problems }
}

/** One sentence with every invalid variable, without values; undefined if all are valid. */
export function describeInvalid({ files, problems }: SecretsRead, issues: readonly Issue[] = []): string | undefined {
  const known = new Set(problems.map((problem) => problem.slice(0, problem.indexOf(':'))))
  const others = issues.flatMap(({ path, message }) => {
    const name = path.join('.')
    const variable = files.has(name) ? `${name}_FILE` : name
    return known.has(variable) ? [] : `${variable}: ${message}`
  })
  const all = [...problems, ...others]
  return all.length === 0 ? undefined : `Invalid environment variables: ${all.join('; ')}`
}

function readSecret(file: string): { secret: string } | { problem: string } {
  try {
    const secret = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
    return secret.trim() === '' ? { problem: 'is empty' } : { secret }
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}
