type Page<Item> = { items: Item[]; nextCursor: string | null }

/** Iterates over a list. Reads the next page, with its cursor, only when the loop needs it. */
export async function* allItems<Item>(
  read: (cursor: { cursor?: string }) => PromiseLike<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let next: string | null = null
  do {
    const page: Page<Item> = await read(next === null ? {} : { cursor: next })
    yield* page.items
    next = page.nextCursor || null
  } while (next !== null)
}
