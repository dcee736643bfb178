import { type ReactNode, useEffect, useState } from 'react'
import classes from './SectionList.module.css'

export type Section = { id: string; title: string; content: ReactNode }

/** Sections of a page, with an index on wide screens that follows the scroll position. */
export function SectionList({ label, sections }: { label: string; sections: Section[] }) {
  const current = useSectionInSight(sections.map(({ id }) => id).join(' '))
  return (
    <div className={`grid gap-24 ${classes.frame}`}>
      <nav className={classes.index} aria-label={label}>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === current ? 'true' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="stack shrink gap-16">
        {sections.map(({ id, content }) => (
          <div key={id} id={id} className={classes.section}>
            {content}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Distance from the top within which a section counts as current, in pixels. */
const readingLine = 200

/** Id of the last section that starts above the reading line; at the end of the page, of the last section. */
function useSectionInSight(ids: string): string {
  const [current, set] = useState('')
  // Links from other pages name a section.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView?.(), [])
  useEffect(() => {
    const look = () => {
      const all = ids.split(' ')
      const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      // Sections that wait for others are hidden, and have no height.
      const isAbove = (id: string) => {
        const { top, height } = document.getElementById(id)?.getBoundingClientRect() ?? { top: Infinity, height: 0 }
        return height > 0 && top < readingLine
      }
      set((isAtEnd ? all.at(-1) : all.findLast(isAbove)) ?? all[0] ?? '')
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [ids])
  return current
}
