import { Button } from '@mantine/core'
import { IconChevronRight, IconFolder } from '@tabler/icons-react'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { countText } from '#client/ui/text/count.ts'
import { Size } from '#client/ui/values/Size.tsx'
import classes from './FolderBrowser.module.css'

/** `size` in bytes; undefined if unknown. */
type ListedFolder = { path: string; name: string; size?: number }

type FolderBrowserProps = {
  /** The open folder. */
  path: string
  onGo: (path: string) => void
  /** Folders in the open one, or the first of them. */
  folders: Loadable<{ elements: readonly ListedFolder[]; total: number }>
  /** Verb of the button that selects a folder. */
  verb: string
  onChoose: (path: string) => void
}

/** Lists the folders in one folder, to open or to select them. */
export function FolderBrowser({ path, onGo, folders, verb, onChoose }: FolderBrowserProps) {
  return (
    <div className="bordered radius-4">
      <PathLinks path={path} onGo={onGo} />
      <div className={classes.list}>
        <RemoteContent remote={folders}>
          {({ elements, total }) => (
            <>
              <ul aria-label={`Folders in ${path}`}>
                {elements.map(({ name, path, size }) => (
                  <li className="row gap-8 min-32 line-bottom hover" key={path}>
                    <button type="button" className={classes.folder} onClick={() => onGo(path)}>
                      <IconFolder className="muted" size={16} stroke={1.5} aria-hidden />
                      <bdi className="ellipsis">
                        <MarkedText text={name} />
                      </bdi>
                    </button>
                    {size !== undefined && <Size bytes={size} />}
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`${verb} ${path}`}
                      onClick={() => onChoose(path)}
                    >
                      {verb}
                    </Button>
                  </li>
                ))}
              </ul>
              {total === 0 && <p className="muted small padded-8">No subfolders</p>}
              {total > elements.length && (
                <p className="muted small padded-8">
                  The first {countText(elements.length)} of {countText(total)} folders. Type the path of another one.
                </p>
              )}
            </>
          )}
        </RemoteContent>
      </div>
    </div>
  )
}

/** Breadcrumb of the open folder. */
function PathLinks({ path, onGo }: { path: string; onGo: (path: string) => void }) {
  const names = path.split('/').filter((name) => name !== '')
  const steps = [
    { name: 'All folders', to: '/' },
    ...names.map((name, at) => ({ name, to: `/${names.slice(0, at + 1).join('/')}` })),
  ]
  return (
    <ol className={classes.way} aria-label="Open folder">
      {steps.map(({ name, to }) => (
        <li className="inline shrink" key={to}>
          {to !== '/' && <IconChevronRight size={14} stroke={1.5} aria-hidden />}
          <button
            type="button"
            className={to === path ? 'ellipsis text' : 'ellipsis accent'}
            onClick={() => onGo(to)}
            aria-current={to === path ? 'true' : undefined}
          >
            <bdi>
              <MarkedText text={name} />
            </bdi>
          </button>
        </li>
      ))}
    </ol>
  )
}
