// Play a whole game with the types that openapi-typescript made: node bot.js URL RULEBOOK.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

type Schemas = components["schemas"];
type Rulebook = Schemas["NewGameBody"]["rulebook"];
type Answer<T> = { data?: T; error?: Schemas["Problem"] };

// Send a request, and again after as many seconds as the service says when it was asked for too much.
async function patient(request: Request): Promise<Response> {
  const answer = await fetch(request.clone());
  if (answer.status !== 429) return answer;
  await new Promise((go) => setTimeout(go, 1000 * Number(answer.headers.get("Retry-After"))));
  return patient(request);
}

const client = (url: string, token = "") =>
  createClient<paths>({ baseUrl: url, fetch: patient, headers: token ? { Authorization: `Bearer ${token}` } : {} });

function good<T>({ data, error }: Answer<T>): T {
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.detail}` : "no answer");
  return data;
}

// What to do now, undefined for nothing: this is the line to make cleverer.
const choose = (menu: Schemas["Menu"]) => menu.open.find((action) => action.default);

async function play(url: string, rulebook: Rulebook): Promise<Schemas["Game"]> {
  const made = good(await client(url).POST("/v1/games", { body: { rulebook } }));
  const params = { path: { game: made.game } };
  const [host, door] = [client(url, made.host_token), client(url, made.join_code)];
  const seats = [];
  for (const name of ["Ann", "Bob"]) {
    const seat = good(await door.POST("/v1/games/{game}/seats", { params, body: { name } }));
    seats.push(client(url, seat.token));
  }
  for (const player of seats) good(await player.POST("/v1/games/{game}/ready", { params, body: { edition: 1 } }));
  good(await host.POST("/v1/games/{game}/start", { params }));
  for (;;) {
    let acted = false;
    for (const player of seats) {
      const choice = choose(good(await player.GET("/v1/games/{game}/actions", { params })));
      if (!choice) continue;
      good(await player.POST("/v1/games/{game}/actions", { params, body: choice.body }));
      acted = true;
    }
    if (!acted) return good(await host.GET("/v1/games/{game}", { params }));
  }
}

const [url, rulebook] = process.argv.slice(2);
const game = await play(url!, rulebook as Rulebook);
for (const line of game.state.standings) console.log(line.rank, game.names[line.seat], line.score);
