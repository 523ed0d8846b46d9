// The two first pages: the repositories one may read, and one repository with how to clone it and what it holds.
// Called by the pages service with the actor that transport has established; who may see it is decided again here.

import { decideRead } from '#access/authorize.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#model/actor.ts';
import type { RepositoryEntry } from '#model/catalog-entry.ts';
import type { RepositoryState } from '#model/repository-state.ts';
import type { Ref, RefSnapshot } from '#git/ref-snapshot.ts';
import { renderFrame } from '#page/frame.ts';
import { type Html, html } from '#page/html.ts';

export type PageSources = {
  listRepositories(): Iterable<RepositoryEntry>;
  findRepository(path: string): RepositoryEntry | undefined;
  stateOf(id: string): RepositoryState | undefined;
  /** undefined: git was too busy (`git_page`). */
  readRefs(ctx: Context, entry: RepositoryEntry, actor: Actor): Promise<RefSnapshot | undefined>;
  addressesOf(entry: RepositoryEntry): { readonly http: string; readonly ssh: string };
};

export type PageAnswer = {
  readonly status: 200 | 404 | 503;
  readonly body: string;
};

const shownRefs = 50;

/** @param path of the request, without its query. */
export async function answerPage(
  ctx: Context,
  sources: PageSources,
  request: { readonly path: string; readonly actor: Actor },
): Promise<PageAnswer> {
  const { path, actor } = request;
  if (path === '/') return { status: 200, body: renderHome(sources, actor) };
  const entry = sources.findRepository(path.replace(/^\//, '').replace(/\/$/, ''));
  // Hidden and absent take the same way and give the same bytes.
  if (decideRead(actor, entry) === 'hidden' || entry === undefined) return notFound();
  const state = sources.stateOf(entry.id);
  if (state?.kind !== 'ready') return { status: 503, body: renderWaiting(entry, state) };
  const refs = await sources.readRefs(ctx, entry, actor);
  if (refs === undefined) return { status: 503, body: renderBusy(entry) };
  return { status: 200, body: renderRepository(entry, sources.addressesOf(entry), refs) };
}

function renderHome(sources: PageSources, actor: Actor): string {
  const visible = [...sources.listRepositories()]
    .filter((entry) => decideRead(actor, entry) === 'allowed')
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const items = visible.map(
    ({ path, spec }) =>
      html`<li>
        <a href="/${path}">${path}</a>
        <span class="note">${spec.visibility}</span
        >${spec.description === undefined ? undefined : html`<br />${spec.description}`}
      </li>`,
  );
  const nothing = html`<p>
    There is no repository you may see. Add a manifest to the catalog folder, or
    <code>npx warren import ADDRESS NAME</code>.
  </p>`;
  return renderFrame(
    'Repositories',
    html`<h1>Repositories</h1>
      ${
        items.length === 0
          ? nothing
          : html`<ul class="list">
              ${items}
            </ul>`
      }`,
  );
}

function renderRepository(
  { path, spec }: RepositoryEntry,
  address: { readonly http: string; readonly ssh: string },
  { refs, headTarget, headOid }: RefSnapshot,
): string {
  const branches = refs.filter(({ name }) => name.startsWith('refs/heads/'));
  const tags = refs.filter(({ name }) => name.startsWith('refs/tags/'));
  const branch = headTarget?.replace(/^refs\/heads\//, '') ?? spec.defaultBranch;
  const empty = html`<h2>Push something</h2>
    <pre>
git clone ${address.http}
cd ${path.split('/').at(-1)}
git switch --create ${branch}
echo "# ${path}" &gt; README.md
git add README.md
git commit --message "First commit"
git push --set-upstream origin ${branch}</pre>`;
  return renderFrame(
    path,
    html`<h1>${path}</h1>
      ${spec.description === undefined ? undefined : html`<p>${spec.description}</p>`}
      <h2>Clone</h2>
      <pre>
git clone ${address.http}
git clone ${address.ssh}</pre>
      ${
        headOid === undefined
          ? empty
          : html`<p>Default branch <b>${branch}</b> at <code>${headOid.slice(0, 12)}</code>.</p>`
      }
      ${renderRefs('Branches', branches, 'refs/heads/')} ${renderRefs('Tags', tags, 'refs/tags/')}`,
  );
}

function renderRefs(title: string, refs: readonly Ref[], prefix: string): Html | undefined {
  if (refs.length === 0) return undefined;
  const rows = refs.slice(0, shownRefs).map(
    ({ name, oid, peeled }) =>
      html`<tr>
        <td>${name.slice(prefix.length)}</td>
        <td><code>${(peeled ?? oid).slice(0, 12)}</code></td>
      </tr>`,
  );
  const more = refs.length - shownRefs;
  return html`<h2>${title} (${refs.length})</h2>
    <table>
      ${rows}
    </table>
    ${more > 0 ? html`<p class="note">and ${more} more</p>` : undefined}`;
}

function renderWaiting({ path }: RepositoryEntry, state: RepositoryState | undefined): string {
  const sentence = {
    preparing: 'It is being prepared; this page will show it in a moment.',
    suspended: 'It is suspended.',
    failed: 'It cannot be served; the log of the server says why.',
    ready: '',
  }[state?.kind ?? 'preparing'];
  return renderFrame(
    path,
    html`<h1>${path}</h1>
      <p>${sentence}</p>`,
  );
}

function renderBusy({ path }: RepositoryEntry): string {
  const content = html`<h1>${path}</h1>
    <p>The server is busy. Try again in a few seconds.</p>`;
  return renderFrame(path, content);
}

function notFound(): PageAnswer {
  const content = html`<h1>Not found</h1>
    <p>There is no such page, or you may not see it. <a href="/">All repositories</a></p>`;
  return { status: 404, body: renderFrame('Not found', content) };
}
