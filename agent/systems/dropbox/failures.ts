import { z } from 'zod'
import type { Answer } from '../http/answer.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { failureFrom, type FailureTable, isOne } from '../http/failureTable.ts'
import { ForeignAnswer, Refusal } from '../http/refusal.ts'
import { TooLong } from '#events/node/jsonMeter.ts'
import { ScanFailed } from '../system.ts'

/** The parts of a request that messages about its failure name. */
export type RequestContext = {
  host: string
  /** True if the host has answered a request before. */
  hasAnswered: boolean
  /** The folder that a call was about. */
  folder: string
  secrets: string[]
  isPlain: boolean
}

/** A refusal of Dropbox. `code` is such as 'path/not_found/', or 'invalid_grant' of a sign-in. */
export class DropboxRefusal extends Refusal {
  constructor(answer: Answer) {
    super(answer)
    this.code = summaryOf(this.text)
  }

  /** True if another access token may be accepted. */
  get isOfToken(): boolean {
    return this.statusCode === 401 && wrongToken.test(this.code)
  }
}

const wrongToken = /^(expired|invalid)_access_token/

/** The listing has to start from scratch: Dropbox no longer knows its place. */
export class ListingReset extends ScanFailed {}

/** The app was not granted a right, or an account is not known. */
export class NotGranted extends ScanFailed {}
export class NoAccount extends ScanFailed {}

/** There is no such folder. */
export class NoFolder extends ScanFailed {}

const Said = z.object({ error_summary: z.string().optional(), error: z.unknown() })

function summaryOf(text: string): string {
  try {
    const { error_summary: summary, error } = Said.parse(JSON.parse(text))
    return summary ?? (typeof error === 'string' ? error : '')
  } catch {
    return ''
  }
}

/** The failure of a call, for users: `StoreBusy` if it may succeed later, else `ScanFailed`. */
export const failureOf = (error: unknown, request: RequestContext): Error => failureFrom(table, error, request)

const webPage = ({ host }: RequestContext) => `${host} answers with a web page instead of as Dropbox does`

const table: FailureTable<DropboxRefusal, RequestContext> = {
  refusal: DropboxRefusal,
  refusals: [
    {
      status: /^(429|5\d\d)$/,
      isBusy: true,
      sentence: (_, { code, statusCode }) => `Dropbox is too busy: ${code.split('/')[0] || `status ${statusCode}`}`,
    },
    {
      codes: /^reset/,
      sentence: () => 'The listing expired at Dropbox',
      failure: (sentence) => new ListingReset(sentence),
    },
    {
      codes: /^path\/not_found/,
      sentence: ({ folder }) => `Dropbox has no folder ${folder}`,
      failure: (sentence) => new NoFolder(sentence),
      field: 'path',
    },
    {
      codes: /^invalid_grant/,
      sentence: () => 'Dropbox no longer accepts this code. Get a new one, and save it in the credentials',
      field: 'credentials',
    },
    {
      codes: /^(invalid_client|unauthorized_client)/,
      sentence: () => 'Dropbox does not know the app key of this server',
    },
    { codes: /^path\/not_folder/, sentence: ({ folder }) => `${folder} is not a Dropbox folder`, field: 'path' },
    { codes: /^path\/malformed_path/, sentence: ({ folder }) => `${folder} is not a Dropbox path`, field: 'path' },
    {
      codes: /^path\/restricted_content/,
      sentence: ({ folder }) => `Dropbox does not let the folder ${folder} be listed`,
      field: 'path',
    },
    {
      codes: /^missing_scope/,
      sentence: () => 'The app of Dropbox may not do this: it needs files.metadata.read and account_info.read',
      failure: (sentence) => new NotGranted(sentence),
    },
    {
      codes: /^no_account/,
      sentence: () => 'Dropbox does not know this account',
      failure: (sentence) => new NoAccount(sentence),
    },
    {
      codes: /^(invalid_root|no_permission)/,
      sentence: () =>
        'The account of Dropbox may not use the team space: turn it off for this storage, or ask the team',
    },
    { codes: /^user_suspended/, sentence: () => 'The account of Dropbox is suspended', field: 'credentials' },
    {
      codes: wrongToken,
      sentence: () => 'Dropbox does not accept the sign-in: get a new code, and save it in the credentials',
      field: 'credentials',
    },
    { when: ({ isHtml }) => isHtml, sentence: webPage },
    { status: /^3/, sentence: ({ host }) => `${host} redirects requests, which is not followed` },
  ],
  other: ({ secrets }, { statusCode, code, text }) => {
    const reason = withoutSecrets(code || text, secrets)
    return `Dropbox refused with status ${statusCode}${reason && `: ${reason}`}`
  },
  errors: [
    { when: isOne(TooLong), sentence: ({ host }) => `${host} sends a page that is too long to be a list of files` },
    { when: (error) => error instanceof ForeignAnswer && error.isHtml, sentence: webPage },
    { when: isOne(ForeignAnswer, z.ZodError), sentence: ({ host }) => `${host} does not answer as Dropbox does` },
  ],
  connection: (error, request) => connectionFailure(error, { ...request, isTypedPlain: request.isPlain }),
}
