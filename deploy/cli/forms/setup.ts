import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { addressOf, checkToken, saveProfile, send } from '../connection.ts'
import { type Context, type ShortForm, type Terminal } from '../context.ts'
import { UsageError } from '../failures.ts'
import { own } from '../options.ts'
import { write } from '../output.ts'

const login: ShortForm = {
  name: 'login',
  words: 'ADDRESS',
  summary: 'Saves a server and the API token that it asks for, or that the standard input has.',
  examples: ['login https://dataintell.example.com', 'login http://127.0.0.1:8080 --name test < token'],
  options: [own('name', 'Name of the profile. Default: default.', 'text')],
  async run(context) {
    const server = addressOf(context.words[0] ?? '')
    const text = await readToken(context.terminal)
    if (text.trim() === '') throw new UsageError('No token was entered. Add one at Settings > Tokens.')
    const token = checkToken(text, 'The input')
    const answer = await send({ server, token }, { method: 'GET', path: '/currentUserInfo' })
    const { name } = (await answer.json()) as { name?: string }
    const file = saveProfile(context.text('name') ?? 'default', { server, token }, context.terminal.env)
    context.note(`Signed in to ${server} as ${name ?? 'a user'}. The token is in ${file}.`)
  },
}

/** Reads a token without showing it. */
async function readToken({ stdin, stderr }: Terminal): Promise<string> {
  if (!stdin.isTTY) return text(stdin)
  stderr.write('API token (Settings > Tokens): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  lines.once('SIGINT', () => process.exit(130))
  try {
    return await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')))
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

/** Each script asks `dataintell complete` for the words that may follow. */
const scripts: Record<string, string> = {
  bash: `_dataintell() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(dataintell complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _dataintell dataintell
`,
  zsh: `#compdef dataintell
_dataintell() {
  local -a found
  found=("\${(@f)$(dataintell complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- "\${found[@]}"
}
compdef _dataintell dataintell
`,
  fish: `complete -c dataintell -f -a '(dataintell complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

const completion: ShortForm = {
  name: 'completion',
  words: 'SHELL',
  summary: 'Writes the completion for bash, zsh or fish.',
  examples: ['completion bash >> ~/.bashrc', 'completion fish > ~/.config/fish/completions/dataintell.fish'],
  options: [],
  async run(context: Context) {
    const script = scripts[context.words[0] ?? '']
    if (script === undefined) throw new UsageError(`Choose one of ${Object.keys(scripts).join(', ')}.`)
    await write(context.out, script)
  },
}

export const setupForms: readonly ShortForm[] = [login, completion]
