import { IconAlertTriangle, IconBan, IconKey } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { TokenRole } from '#events/contract/needs.ts'
import { type ApiToken, ApiTokenDraft, type NewApiToken, apiTokens, commandLinePath } from '#events/users/apiTokens.ts'
import { basePath, withBase } from '#client/app/place/basePath.ts'
import { roleNames } from '#client/parts/roles/roleWords.ts'
import { TokenRolesInput } from '#client/parts/roles/RolesInput.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { copiedSecret } from '#client/parts/settings-table/SecretDialog.tsx'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { AssistantCard } from './AssistantCard.tsx'
import classes from './ApiTokens.module.css'

/** Tokens for scripts, and what uses them: the command line, and programs with a language model. */
export const ApiTokensSection = () => (
  <div className="stack gap-16">
    <SettingsSection title="API tokens" table={apiTokensTable} />
    <CommandLine />
    <AssistantCard />
  </div>
)

const apiTokensTable: SettingsTable<ApiToken, ApiTokenDraft, NewApiToken> = {
  label: 'API tokens',
  rows: rowsOf(apiTokens.list, 'apiTokens'),
  sort: { field: 'name', direction: 'asc' },
  calls: callsOf(apiTokens),
  columns: [
    { key: 'name', title: 'Name', sortable: true, grows: true, cell: (token) => <Name {...token} /> },
    { key: 'owner', title: 'Owner', wideOnly: true, cell: ({ owner }) => owner },
    {
      key: 'roles',
      title: 'Roles',
      wideOnly: true,
      cell: ({ roles }) => <div className={classes.roles}>{roleNames(roles) || 'None'}</div>,
    },
    { key: 'expiresAt', title: 'Expires', sortable: true, cell: (token) => <Expiry {...token} /> },
    {
      key: 'lastUsedAt',
      title: 'Last used',
      wideOnly: true,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'Not yet'),
    },
  ],
  empty: {
    icon: IconKey,
    text: 'No API tokens yet. Scripts use tokens to call the API.',
  },
  adding: { label: 'Add API token', link: 'token' },
  opens: { at: 'dialog', size: 'M', title: () => 'Add API token', saves: () => 'Create token' },
  form: describeForm<ApiToken, ApiTokenDraft>()({
    schema: ApiTokenDraft,
    fields: {
      name: {
        label: 'Name',
        description: 'What it is for, such as nightly report',
        initial: '',
        write: (name) => name.trim(),
      },
      days: {
        label: 'Valid for',
        errorLabel: 'Days',
        kind: 'select',
        options: [
          { value: '7', label: '7 days' },
          { value: '30', label: '30 days' },
          { value: '90', label: '90 days' },
          { value: '366', label: '1 year' },
        ],
        initial: '90',
        read: () => '90',
        write: Number,
      },
      roles: {
        label: 'Roles',
        kind: 'own',
        Input: TokenRolesInput,
        description: 'The token acts for you with at most these roles. Without roles, it is read-only.',
        initial: [] as TokenRole[],
      },
    },
  }),
  secret: ({ name, token }) =>
    copiedSecret({
      title: `${name} was added`,
      label: 'This API token',
      value: token,
      usage: (
        <>
          Scripts send it with each call in the header Authorization: Bearer, followed by the token. Anyone who has it
          can do what its roles allow, until it expires or is revoked. The{' '}
          <a href={withBase('/api/docs')}>API reference</a> has a command to try for each call.
        </>
      ),
    }),
  deletion: {
    label: ({ name }) => `Revoke ${name}`,
    verb: 'Revoke token',
    question: ({ name }) => `Scripts that use ${name} are refused from their next call.`,
    deleted: ({ name }) => `${name} was revoked`,
  },
}

const Name = ({ name, owner, isOwnerDisabled }: ApiToken) => (
  <span className="row strong gap-8">
    <span className="ellipsis">{name}</span>
    {isOwnerDisabled && (
      <Chip icon={IconBan} tone="critical" title={`Refused until ${owner} is enabled`}>
        Owner disabled
      </Chip>
    )}
  </span>
)

const Expiry = ({ expiresAt, isExpired }: ApiToken) => (
  <>
    <Moment at={expiresAt} />{' '}
    {isExpired && (
      <Chip icon={IconAlertTriangle} tone="warn">
        Expired
      </Chip>
    )}
  </>
)

/** The command that installs the command line and asks for a token. */
function CommandLine() {
  const address = location.origin + basePath
  const program = '~/.local/bin/dataintell'
  const install = `mkdir -p ~/.local/bin && curl -fsSL '${address}${commandLinePath}' -o ${program} && chmod +x ${program} && ${program} login '${address}'`
  return (
    <Panel title="Use the command line">
      <div className="inset stack gap-12">
        <p className="muted">
          This installs dataintell for you on a machine with Node 22 or newer, and asks for an API token. Then try
          dataintell storages, or read the <Link href="/help/command-line">help</Link>.
        </p>
        <CopyableText label="Command" text={install} />
      </div>
    </Panel>
  )
}
