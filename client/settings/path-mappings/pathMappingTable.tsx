import { IconRoute } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import type { TableForm } from '#client/parts/settings-table/form.ts'
import type { Column } from '#client/ui/table/column.ts'
import { TryPath } from './TryPath.tsx'

/** A folder of a storage that is mapped to a path of another system. */
type Mapping = { id: number; volumeName: string | null; dataintellPath: string }

type Mappings<T extends Mapping, D> = Required<
  Pick<SettingsTable<T, D, { id: number }>, 'label' | 'rows' | 'calls'>
> & {
  columns: Column<T>[]
  /** Name of the other system. */
  system: string
  /** Noun in messages: "File Storage path configuration". */
  one: string
  /** Text of the empty state. */
  empty: string
  form: TableForm<T, D>
  /** Field of the path in the other system. */
  externalPath: string
  /** Help in the dialog. */
  help?: ReactNode
}

/** A table of mappings of one system. A path can be tried while a mapping is edited. */
export function pathMappingTable<T extends Mapping, D>(declared: Mappings<T, D>): SettingsTable<T, D, { id: number }> {
  const { system, one, empty, form, externalPath, help, columns, ...table } = declared
  return {
    ...table,
    sort: { field: 'id', direction: 'asc' },
    columns: [{ key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id }, ...columns],
    empty: { icon: IconRoute, text: empty },
    adding: { label: 'Add path configuration' },
    editing: { label: ({ volumeName }) => `Edit path configuration of ${volumeName}` },
    opens: {
      at: 'dialog',
      size: 'M',
      title: (edited) => `${edited === 'new' ? 'Add' : 'Edit'} Storage Path Configuration`,
      saves: () => 'Save configuration',
    },
    form: {
      ...form,
      extra: ({ dataintellPath, [externalPath]: path }) => (
        <>
          <TryPath system={system} dataintellPath={String(dataintellPath)} externalPath={String(path)} />
          {help}
        </>
      ),
      saved: (_, edited) => `${one} was ${edited === 'new' ? 'created' : 'updated'} successfully`,
    },
    deletion: {
      label: ({ volumeName }) => `Delete path configuration of ${volumeName}`,
      verb: 'Delete configuration',
      question: ({ volumeName }) => `Are you sure you want to delete the path configuration of ${volumeName}?`,
      deleted: () => `${one} was deleted successfully`,
      staysOnFailure: true,
    },
  }
}

/** Column of a text, such as a path. `wideOnly` hides it on narrow screens. */
export const textColumn = <T extends object>(
  key: keyof T & string,
  title: string,
  options: Pick<Column<T>, 'wideOnly'> = {},
): Column<T> => ({ key, title, sortable: true, ...options, cell: (row) => String(row[key]) })

/** The path as DataIntell shows it. */
export const dataintellPathField = {
  label: 'DataIntell Path',
  description: 'As DataIntell shows it',
  placeholder: '/mnt/projects',
  errorLabel: 'Dataintell path',
  initial: '' as string,
} as const
