import { IconAlertTriangle, IconBan } from '@tabler/icons-react'
import type { ApiToken } from '#events/api-tokens.ts'
import { roleNames } from '../../parts/roles/roleWords.ts'
import { Chip } from '../../ui/Chip.tsx'
import type { Column } from '../../ui/column.ts'
import { Moment } from '../../ui/Moment.tsx'
import { RemoveAction } from '../../ui/RowActions.tsx'
import classes from './ApiTokens.module.css'

export const apiTokensColumns = (revoke: (token: ApiToken) => void): Column<ApiToken>[] => [
  { key: 'name', title: 'Name', sortable: true, cell: (token) => <Name {...token} /> },
  { key: 'owner', title: 'Owner', wideOnly: true, cell: ({ owner }) => owner },
  {
    key: 'roles',
    title: 'Roles',
    wideOnly: true,
    cell: ({ roles }) => <div className={classes.roles}>{roleNames(roles) || 'None'}</div>,
  },
  {
    key: 'expiresAt',
    title: 'Expires',
    sortable: true,
    cell: ({ expiresAt, isExpired }) => (
      <>
        <Moment at={expiresAt} />{' '}
        {isExpired && (
          <Chip icon={IconAlertTriangle} tone="warn">
            Expired
          </Chip>
        )}
      </>
    ),
  },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    wideOnly: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'Not yet'),
  },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (token) => <RemoveAction label={`Revoke ${token.name}`} onClick={() => revoke(token)} />,
  },
]

const Name = ({ name, owner, isOwnerDisabled }: ApiToken) => (
  <span className={classes.name}>
    {name}
    {isOwnerDisabled && (
      <Chip icon={IconBan} tone="critical" title={`Refused until ${owner} is enabled`}>
        Owner disabled
      </Chip>
    )}
  </span>
)
